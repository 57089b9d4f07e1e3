// As Ory Polis is deployed: `next build`, then the standalone server.
export default {
  output: 'standalone',
  outputFileTracingRoot: import.meta.dirname,
  pageExtensions: ['mjs'],
};
