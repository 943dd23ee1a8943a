// Words of the page.

export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A sentence of the library, which begins without a capital and ends without a full stop. */
export function sentence(text) {
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

export function findingsFound(total, errors) {
  if (total === 0) {
    return 'Nothing is odd about this file.';
  }
  return errors === total ? counted(total, 'error') : `${counted(total, 'finding')}${errors > 0 ? `, ${counted(errors, 'error')} among them` : ''}`;
}

/** A few names, and how many more there are. */
export function listed(names, most = 6) {
  return names.length > most
    ? `${names.slice(0, most).join(', ')} and ${(names.length - most).toLocaleString('en')} more`
    : new Intl.ListFormat('en').format(names);
}

/** Both ends of a long text: one of 7,000 characters would fill many screens. */
export function shortened(text, most = 240) {
  return text.length > most ? `${text.slice(0, most - 40)} … ${text.slice(-40)}` : text;
}

/** The lines of a field, each once, without blank ones. */
export const linesOf = (text) => [...new Set(text.split('\n').map((line) => line.trim()).filter(Boolean))];

/** An agent; `useName` for a name that stands for a use of pages, and for no crawler. */
export const named = (agent, useName) => useName ?? (agent === '*' ? 'Any other agent' : agent);
