// The names of the entry `polite-robots/cache`.

export { InvalidTokenError, InvalidUrlError, productToken, Robot, robotsUrl, RobotsTxt } from 'polite-robots';
export { axiosFetcher, fetcher } from './fetchers.js';
export { Cache, CachedRobot, Crawl, Entry, Fetch, Origin, Outcome, Pacer, Profile, Scheduler, Ticket } from './machines.js';
export { RobotsCache } from './robots_cache.js';
