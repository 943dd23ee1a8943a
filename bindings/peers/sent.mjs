// Fetches the URLs of standard input, a line of JSON each, with `fetch`, and answers each with a line: null, or the error.

import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  let refusal = null;
  try {
    const response = await fetch(JSON.parse(line), { redirect: 'manual' });
    await response.text();
  } catch (error) {
    refusal = String(error.cause?.message ?? error.message);
  }
  console.log(JSON.stringify(refusal));
}
