// Crawlee's crawlers wait for the turns of their hosts.

/** The hooks and handlers for the options of a crawler. */
export function crawleeHooks(politeFetch) {
  /** The permits of requests that are under way. */
  const permits = new WeakMap();
  const end = (request, finish) => {
    const permit = permits.get(request);
    permits.delete(request);
    permit && finish(permit);
  };
  const fail = async ({ request }, error) => end(request, (permit) => permit.fail(error));
  return {
    preNavigationHooks: [
      async ({ request }) => {
        end(request, (permit) => permit.cancel());
        try {
          permits.set(request, await politeFetch.permit(request.url));
        } catch (error) {
          // A rule is the same at the next try.
          request.noRetry = error.code === 'DISALLOWED';
          throw error;
        }
      },
    ],
    postNavigationHooks: [
      async ({ request, response }) => {
        const status = response?.statusCode ?? response?.status;
        const headers = response?.headers;
        end(request, (permit) => permit.finish({
          status: typeof status === 'function' ? status.call(response) : (status ?? 200),
          headers: (typeof headers === 'function' ? headers.call(response) : headers) ?? {},
        }));
      },
    ],
    errorHandler: fail,
    failedRequestHandler: fail,
  };
}
