// The turns of a crawl: callers and rounds wait here, and all that is decided, the machines decide.

import { Cache, Origin, Pacer, Scheduler } from 'polite-robots/cache';
import { LONGEST_TIMER, atAbort } from '../cache/leaving.js';
import { roundEvent } from '../cache/response.js';
import { BusyError, ClosedError, DisallowedError } from './errors.js';

/** The milliseconds until a page whose robots.txt waits for another host, or for memory, is looked at again. */
const RETRY = 1_000;
/** The milliseconds after which an idle host is looked at: it is forgotten if that shortens nothing. */
const REST = 60_000;
/** The most idle hosts that are looked at in a row. */
const MOST_RESTED = 128;

export class Crawl {
  #given;
  #cache;
  #scheduler;
  /** The pages and rounds that wait, by the host whose turn they wait for, and their number. */
  #jobs = new Map();
  #waiting = 0;
  /** The requests that are under way. */
  #running = 0;
  /** The newest round of each origin. */
  #rounds = new Map();
  /** Hosts without jobs, with the times to look at them, the earliest first. */
  #resting = new Map();
  #timer;
  #wakeup = Infinity;
  /** The time at which the memory of an earlier crawl was loaded, which may lack its last requests. */
  #loaded;

  /** `given` has the agents, the fetch function for robots.txt, the profile, the limits, and the clock. */
  constructor(given) {
    this.#given = given;
    this.#cache = new Cache(given.profile, given.agents, given.capacity);
    this.#scheduler = new Scheduler(given.profile);
  }

  get now() {
    return Number(this.#given.now());
  }

  get hosts() {
    return this.#scheduler.size;
  }

  /**
   * Waits until robots.txt allows the URL and the host has a turn, whose request has begun then. Gives the function that ends
   * it: with a reply, or with none for a request that was given up.
   */
  permit(url, { signal, lent = false }) {
    signal?.throwIfAborted();
    const origin = Origin.of(url);
    const page = { url, origin, key: String(origin), until: this.now + this.#given.maxWait, lent, signal };
    const host = this.#host(origin.host);
    return new Promise((resolve, reject) => {
      let late;
      let isSettled = false;
      const stay = signal === undefined ? undefined : atAbort(signal, () => this.#leave(host, page, signal.reason));
      const settle = (act) => (value) => {
        isSettled = true;
        clearTimeout(late);
        stay?.();
        act(value);
      };
      page.start = settle(resolve);
      page.fail = settle((error) => {
        origin.free();
        reject(error);
      });
      this.#enter(host, page);
      this.#grant();
      // Most turns begin at once, and a timer costs.
      late = isSettled ? undefined : setTimeout(() => this.#leave(host, page, new BusyError(url, 'its turn did not come in time', this.#turnDate(host))), Math.min(this.#given.maxWait, LONGEST_TIMER));
    });
  }

  save() {
    const [cache, scheduler] = [this.#cache.save(), this.#scheduler.save()];
    const saved = new Uint8Array(4 + cache.length + scheduler.length);
    new DataView(saved.buffer).setUint32(0, cache.length);
    saved.set(cache, 4);
    saved.set(scheduler, 4 + cache.length);
    return saved;
  }

  load(saved) {
    const now = this.now;
    const end = 4 + (saved.length < 4 ? 0 : new DataView(saved.buffer, saved.byteOffset).getUint32(0));
    const scheduler = Scheduler.load(saved.subarray(end));
    this.#cache.load(saved.subarray(4, end), now);
    this.#loaded = now;
    for (const known of scheduler.hosts()) {
      const pacer = scheduler.pacer(known);
      // The last requests before a crash are missing, so one is assumed that ends now.
      pacer.handleStart(now);
      pacer.handleCancelled(this.#given.profile, now);
      this.#rest(this.#scheduler.insertWith(scheduler.host(known), pacer));
      pacer.free();
    }
    scheduler.free();
  }

  /** The host of this name, which waits for a turn. */
  #host(name) {
    const known = this.#loaded === undefined ? undefined : this.#scheduler.find(name);
    if (this.#loaded === undefined || known !== undefined) {
      return this.#scheduler.insert(name);
    }
    const pacer = Pacer.afterGap(this.#loaded);
    const host = this.#scheduler.insertWith(name, pacer);
    pacer.free();
    return host;
  }

  #put(host, job, isFirst) {
    const jobs = this.#jobs.get(host) ?? [];
    this.#jobs.set(host, jobs);
    jobs[isFirst ? 'unshift' : 'push'](job);
    this.#waiting += 1;
    this.#scheduler.setWaiting(host);
  }

  /** Takes a job out of the queue of its host; whether it was there. */
  #take(host, job) {
    const jobs = this.#jobs.get(host) ?? [];
    const place = jobs.indexOf(job);
    if (place >= 0) {
      jobs.splice(place, 1);
      this.#waiting -= 1;
    }
    return place >= 0;
  }

  /** Gives the page a place in the queue, unless it is known at once that it will not be fetched, or not in time. */
  #enter(host, page) {
    const { maxQueue } = this.#given;
    if ((this.#jobs.get(host)?.length ?? 0) >= maxQueue) {
      return this.#fail(host, page, new BusyError(page.url, `${maxQueue} requests wait for it`, this.#turnDate(host)));
    }
    const lookup = this.#cache.pollAhead(page.origin, this.now);
    if (this.#isOver(host, page, lookup)) {
      return undefined;
    }
    if (lookup.kind === 'pending') {
      const round = this.#rounds.get(page.key);
      round && this.#cache.renew(round.ticket, this.now);
    }
    if (!this.#waitInTime(host, page, false)) {
      // A ticket that is freed is given back.
      return lookup.ticket?.free();
    }
    return lookup.kind === 'fetch' ? this.#begin(lookup.ticket, page) : undefined;
  }

  /** Lets the page wait, if its turn comes in time. */
  #waitInTime(host, page, isFirst) {
    const turn = this.#scheduler.turn(host, this.now);
    const isInTime = turn !== 'skip' && turn !== 'never' && !(turn > page.until);
    if (isInTime) {
      this.#cache.hold(page.origin);
      this.#put(host, page, isFirst);
    } else {
      this.#fail(host, page, new BusyError(page.url, turn === 'skip' ? 'its Crawl-delay is too long' : 'its turn comes too late', this.#turnDate(host)));
    }
    return isInTime;
  }

  /** Ends the wait of a page that may not be fetched by what is known of its origin. Frees the rules that were found. */
  #isOver(host, page, { kind, robot, ...closed }) {
    const allowed = kind === 'ready' && robot.allowed(page.url);
    if (kind === 'ready') {
      this.#scheduler.setCrawlDelay(host, page.origin, robot.crawlDelay);
    }
    if (kind === 'closed') {
      this.#fail(host, page, new ClosedError(page.url, closed));
    } else if (kind === 'ready' && !allowed) {
      this.#fail(host, page, new DisallowedError(page.url, page.origin.robotsUrl, robot.check(page.url)));
    }
    robot?.free();
    return kind === 'closed' || (kind === 'ready' && !allowed);
  }

  /** A caller that does not wait any more. */
  #leave(host, page, error) {
    if (this.#take(host, page)) {
      this.#fail(host, page, error);
    }
    this.#grant();
  }

  #fail(host, page, error) {
    this.#dismiss(host, page);
    page.fail(error);
  }

  /** Notes that a page waits no more: after the last one of an origin nobody asks for its robots.txt. */
  #dismiss(host, { origin, key }) {
    if (this.#jobs.get(host)?.some((job) => job.key === key && job.url !== undefined)) {
      return;
    }
    this.#cache.forgo(origin, this.now);
    this.#cache.release(origin);
    const round = this.#rounds.get(key);
    // One whose first request was sent goes on, or robots.txt would be asked for twice.
    if (round !== undefined && !round.isBegun && this.#take(round.host, round)) {
      this.#end(round);
    }
  }

  /** Grants the turns that may begin now, and sets the timer for the next one. */
  #grant() {
    while (this.#waiting > 0 && this.#running < this.#given.maxInFlight) {
      const host = this.#scheduler.nextReady(this.now);
      if (host === undefined) {
        break;
      }
      const job = this.#jobs.get(host)?.shift();
      if (job === undefined) {
        this.#rest(host);
        continue;
      }
      this.#waiting -= 1;
      (job.url === undefined ? this.#round(host, job) : this.#page(host, job));
    }
    this.#forget();
    const isFull = this.#running >= this.#given.maxInFlight;
    const wakeup = this.#waiting === 0 || isFull ? Infinity : Number(this.#scheduler.nextWakeup() ?? Infinity);
    if (wakeup !== this.#wakeup) {
      clearTimeout(this.#timer);
      this.#wakeup = wakeup;
      if (wakeup < Infinity) {
        this.#timer = setTimeout(() => {
          this.#wakeup = Infinity;
          this.#grant();
        }, Math.min(Math.max(wakeup - this.now, 0), LONGEST_TIMER));
      }
    }
  }

  /** A page in the turn of its host. */
  #page(host, page) {
    const now = this.now;
    const lookup = this.#cache.poll(page.origin, now);
    if (this.#isOver(host, page, lookup)) {
      return;
    }
    if (lookup.kind === 'fetch') {
      this.#put(host, page, true);
      return this.#begin(lookup.ticket, page);
    }
    if (lookup.kind !== 'ready') {
      // `pending`: its robots.txt waits for another host. `full`: hosts that are known come first.
      this.#put(host, page, true);
      return this.#scheduler.defer(host, now + RETRY);
    }
    // The `Crawl-delay` may be new.
    if (this.#scheduler.turn(host, now) !== 'ready') {
      return this.#waitInTime(host, page, true);
    }
    this.#scheduler.handleStart(host, now);
    this.#running += page.lent ? 0 : 1;
    page.start((reply) => {
      if (reply !== undefined && reply.error !== 'local') {
        this.#cache.setSite(page.origin, reply.error === undefined ? 'available' : 'unavailable', this.now);
      }
      page.origin.free();
      this.#ended(host, now, reply, page.lent);
    });
    if (!this.#jobs.get(host)?.some(({ key }) => key === page.key)) {
      this.#cache.release(page.origin);
    }
  }

  #ended(host, started, reply, isLent) {
    if (reply === undefined) {
      this.#scheduler.handleCancelled(host, this.now);
    } else {
      this.#scheduler.handleReply(host, { ...reply, started }, this.now);
    }
    this.#running -= isLent ? 0 : 1;
    this.#grant();
  }

  #begin(ticket, { origin, key }) {
    this.#cache.hold(origin);
    const earlier = this.#rounds.get(key);
    if (earlier !== undefined && this.#take(earlier.host, earlier)) {
      // Its lease was over.
      this.#end(earlier);
    }
    const round = { key, home: origin.host, ticket, fetch: this.#cache.begin(ticket, this.now) };
    this.#rounds.set(key, round);
    this.#advance(round);
  }

  /** The steps of a round that are no requests. */
  #advance(round) {
    for (;;) {
      const { kind, host, until, outcome } = round.fetch.poll(this.now);
      if (kind === 'done') {
        outcome.free();
        return this.#end(round);
      }
      if (kind !== 'resolve') {
        round.host = this.#host(kind === 'get' ? host : round.home);
        this.#scheduler.defer(round.host, kind === 'get' ? this.now : until);
        return this.#put(round.host, round, true);
      }
      // The client looks names up by itself.
      round.fetch.handle({ kind: 'by_name' }, this.now);
    }
  }

  /** Notes the outcome of a round, or that it is given up. The pages that wait for it look again. */
  #end(round) {
    this.#cache.end(round.ticket, round.fetch, this.now);
    [round.ticket, round.fetch].forEach((one) => one.free());
    if (this.#rounds.get(round.key) === round) {
      this.#rounds.delete(round.key);
    }
    const home = this.#scheduler.find(round.home);
    if (home !== undefined) {
      this.#scheduler.defer(home, this.now);
    }
  }

  /** A round in the turn of a host. */
  async #round(host, round) {
    const request = round.fetch.poll(this.now);
    if (request.kind !== 'get' || request.host !== this.#scheduler.host(host)) {
      request.outcome?.free();
      return this.#advance(round);
    }
    const started = this.now;
    round.isBegun = true;
    this.#scheduler.handleStart(host, started);
    this.#running += 1;
    let event;
    try {
      event = await roundEvent(request, this.#given);
    } catch (mistake) {
      // It says nothing about the site.
      event = { kind: 'failed', error: 'local' };
      const home = this.#scheduler.find(round.home);
      this.#jobs.get(home)?.filter(({ key, url }) => key === round.key && url !== undefined).forEach((page) => this.#leave(home, page, mistake));
    }
    round.fetch.handle(event, this.now);
    this.#advance(round);
    const { status, headers, end, error } = event;
    return this.#ended(host, started, end === 'cut_short' ? { error: 'read' } : error === undefined ? { status, headers } : { error });
  }

  #rest(host) {
    this.#jobs.delete(host);
    this.#scheduler.setIdle(host);
    this.#resting.delete(host);
    this.#resting.set(host, this.now + REST);
  }

  /** Forgets idle hosts to which that makes no difference. */
  #forget() {
    let most = MOST_RESTED;
    for (const [host, at] of this.#resting) {
      if (at > this.now || (most -= 1) < 0) {
        return;
      }
      this.#resting.delete(host);
      if (this.#jobs.has(host)) {
        continue;
      }
      if (this.#scheduler.isAsNew(host, this.now)) {
        this.#scheduler.remove(host);
      } else {
        this.#resting.set(host, this.now + REST);
      }
    }
  }

  #turnDate(host) {
    const turn = this.#scheduler.turn(host, this.now);
    return turn instanceof Date ? turn : undefined;
  }
}
