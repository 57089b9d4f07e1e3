import jackson from '@boxyhq/saml-jackson';

let opened;

/** Opens Jackson for the first request, on the database of DATABASE_URL. */
export function openJackson() {
  opened ??= jackson({
    externalUrl: 'http://127.0.0.1',
    samlPath: '/api/oauth/saml',
    noAnalytics: true,
    logger: { info: () => {}, warn: () => {}, error: (text) => process.stderr.write(`${text}\n`) },
    db: { engine: 'sql', type: 'postgres', url: process.env.DATABASE_URL, pageLimit: 1_000 },
  });
  return opened;
}
