import { attenuate } from './index.js';

const bytes = [2, 2, 1, 97, 0, 0, 6, 32, ...Array<number>(32).fill(7)];
const macaroonOf = (content: number[]) => `mc_v1_${Buffer.from(content).toString('base64url')}`;
const scopes = ['a'];

it.each([
  ['an API key', 'gate_sk_v1_abc'],
  ['an empty body', 'mc_v1_'],
  ['no Base64url', 'mc_v1_!!!!'],
  ['another version', macaroonOf([1, ...bytes.slice(1)])],
  ['no end', macaroonOf(bytes.slice(0, 5))],
  ['a byte too many', macaroonOf([...bytes, 0])],
  ['a length beyond the end', macaroonOf([2, 2, 0xff, 0xff, 0x7f, ...bytes.slice(3)])],
  ['a length without an end', macaroonOf([2, 2, ...Array<number>(50).fill(0xff)])],
  ['over 8,192 characters', macaroonOf([...bytes, ...Array<number>(8_192).fill(0)])],
])('refuses %s', async (_, text) => {
  await expect(attenuate(text, { scopes })).rejects.toThrow(TypeError);
});

it.each([
  [{ scopes: ['a b'] }, 'blanks'],
  [{ scopes: [''] }, 'blanks'],
  [{ network: '192.0.2.0/33' }, 'network'],
  [{ network: 'localhost' }, 'network'],
  [{ expires: new Date('soon') }, 'date'],
])('refuses %j, which the key service would not read', async (restrictions, message) => {
  await expect(attenuate(macaroonOf(bytes), restrictions)).rejects.toThrow(message);
});

it('adds at most as many caveats and characters as the key service reads', async () => {
  let macaroon = macaroonOf(bytes);
  for (let count = 0; count < 32; count += 1) macaroon = await attenuate(macaroon, { scopes });
  await expect(attenuate(macaroon, { scopes })).rejects.toThrow('32 caveats');
  expect(await attenuate(macaroon, {})).toBe(macaroon);
  const long = { scopes: ['s'.repeat(7_000)] };
  await expect(attenuate(macaroonOf(bytes), long)).rejects.toThrow('8192 characters');
});
