import { returnUrlSettings } from './applications.mjs';

describe('returnUrlSettings', () => {
  const here = 'http://localhost:*,http://127.0.0.1:*';

  it('leads pages back to any port of this machine, and those of the admin also to https', () => {
    expect(returnUrlSettings({}, 'identity-forms')).toEqual({ ALLOWED_RETURN_URLS: here });
    const all = { ALLOWED_RETURN_URLS: `${here},https://*:*` };
    expect(returnUrlSettings({}, 'key-service')).toEqual(all);
    expect(returnUrlSettings({}, 'dsync-api')).toEqual(all);
    expect(returnUrlSettings({}, 'dsync-worker')).toEqual({});
    expect(returnUrlSettings({}, 'console')).toEqual({});
  });

  it.each(['ALLOWED_RETURN_URLS', 'ALLOWED_RETURN_URLS_FILE'])('leaves a given %s', (name) => {
    expect(returnUrlSettings({ [name]: 'https://a.example' }, 'identity-forms')).toEqual({});
  });
});
