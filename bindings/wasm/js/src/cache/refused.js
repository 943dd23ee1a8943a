// The sentences about requests that are not sent, for errors and answers alike.

export function isBusy(url, { reason, retryAt }) {
  return `the host of ${url} is busy: ${reason}; ${retried(retryAt)}`;
}

export function retried(retryAt) {
  return retryAt === undefined ? 'no time to come back is known' : `retry at ${retryAt.toISOString()}`;
}
