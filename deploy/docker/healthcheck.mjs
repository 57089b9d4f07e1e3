// The image's health check: `node healthcheck.mjs [path]`; 0 when the service answers 200.
const [path = '/health/alive'] = process.argv.slice(2);
const url = `http://127.0.0.1:${process.env.PORT}${path}`;
const isOk = await fetch(url, { signal: AbortSignal.timeout(2_500) }).then(
  (answer) => answer.ok,
  () => false,
);
process.exit(isOk ? 0 : 1);
