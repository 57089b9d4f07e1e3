export interface JsonResponse<Body> {
  headers: Headers;
  text: string;
  /** Parsed when the response is JSON. */
  body: Body;
}

export interface SendOptions {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: object;
  /** Sent URL-encoded. */
  form?: URLSearchParams;
  /** The status that the response must have, default 200. */
  expect?: number | number[];
}

/** Sends one request and does not follow redirects. */
export async function send<Body = unknown>(
  method: string,
  url: string | URL,
  { headers = {}, json, form, expect = 200 }: SendOptions = {},
): Promise<JsonResponse<Body>> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { ...(json && { 'Content-Type': 'application/json' }), ...headers },
    body: json === undefined ? form : JSON.stringify(json),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  if (![expect].flat().includes(response.status)) {
    throw new Error(
      `${method} ${new URL(url).pathname} returned ${response.status} instead of ${String(expect)}: ${text.slice(0, 400)}`,
    );
  }
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const body = (isJson && text !== '' ? JSON.parse(text) : undefined) as Body;
  return { headers: response.headers, text, body };
}
