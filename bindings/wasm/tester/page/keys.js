// The keys that go from cell to cell, as the ARIA pattern of a grid has them.

const STEPS = {
  ArrowUp: ([row, column]) => [row - 1, column],
  ArrowDown: ([row, column]) => [row + 1, column],
  ArrowLeft: ([row, column]) => [row, column - 1],
  ArrowRight: ([row, column]) => [row, column + 1],
  PageUp: ([row, column], page) => [row - page, column],
  PageDown: ([row, column], page) => [row + page, column],
  Home: ([row]) => [row, 0],
  End: ([row]) => [row, Infinity],
};

const EDGES = { Home: () => [0, 0], End: () => [Infinity, Infinity] };

/** The place that a key leads to, or `undefined` for another key. `page` is the number of rows in view. */
export function placeAfter({ key, ctrlKey }, place, { rows, columns, page }) {
  const step = ctrlKey ? EDGES[key] : STEPS[key];
  if (!step || rows === 0 || columns === 0) {
    return undefined;
  }
  const [row, column] = step(place, page);
  const within = (at, count) => Math.max(0, Math.min(count - 1, at));
  return [within(row, rows), within(column, columns)];
}
