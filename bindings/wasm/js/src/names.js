// Names that a program gives: an unknown one gets the nearest known one in its error.

import { show } from './arguments.js';

/** The message about a name that is not known. One of a duration may be the older name for seconds. */
export function unknownName(what, name, given, known) {
  const inMilliseconds = `${name}Ms`;
  if (known.includes(inMilliseconds)) {
    // Whoever wrote 30000 meant milliseconds already.
    const example = typeof given === 'number' && given > 0 ? `${inMilliseconds}: ${Math.round(given < 1_000 ? given * 1_000 : given)}` : inMilliseconds;
    return `there is no ${what} ${show(name)}, as durations are in milliseconds: write ${example}`;
  }
  const nearest = known.map((one) => [distance(one.toLowerCase(), name.toLowerCase()), one]).sort(([one], [other]) => one - other)[0];
  return `there is no ${what} ${show(name)}; ${nearest?.[0] <= 3 ? `did you mean ${nearest[1]}?` : `there are ${known.join(', ')}`}`;
}

/** The number of letters to add, to drop or to change. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [place, letter] of [...one].entries()) {
    row = row.reduce((next, above, index) => {
      next.push(index === 0 ? place + 1 : Math.min(above + 1, next[index - 1] + 1, row[index - 1] + (letter === other[index - 1] ? 0 : 1)));
      return next;
    }, []);
  }
  return row.at(-1);
}
