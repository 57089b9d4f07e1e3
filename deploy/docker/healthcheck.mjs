// Health check of the image: `node healthcheck.mjs [path]`. Exits with 0 if the response is 200.
const [path = '/health/alive'] = process.argv.slice(2);
const url = `http://127.0.0.1:${process.env.PORT}${path}`;
const isOk = await fetch(url, { signal: AbortSignal.timeout(2_500) }).then(
  (answer) => answer.ok,
  () => false,
);
process.exit(isOk ? 0 : 1);
