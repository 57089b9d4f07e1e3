import { parseRedisUrl } from './redis-target.js';

describe('an address of Redis', () => {
  it.each([
    ['redis://h', { kind: 'server', url: 'redis://h', isEncrypted: false }],
    ['rediss://u:p@h:1/2', { kind: 'server', url: 'rediss://u:p@h:1/2', isEncrypted: true }],
    [
      'redis-sentinel://u:p%40@a,b:1/main',
      {
        kind: 'sentinel',
        masterName: 'main',
        database: 0,
        isEncrypted: false,
        username: 'u',
        password: 'p@',
        sentinels: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 1 },
        ],
      },
    ],
    [
      'rediss-sentinel://:p@[::1]:2/main/3',
      {
        kind: 'sentinel',
        masterName: 'main',
        database: 3,
        isEncrypted: true,
        password: 'p',
        sentinels: [{ host: '::1', port: 2 }],
      },
    ],
    [
      'rediss-cluster://a:1,b',
      {
        kind: 'cluster',
        isEncrypted: true,
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 6_379 },
        ],
      },
    ],
  ])('%s', (url, target) => {
    expect(parseRedisUrl(url)).toEqual(target);
  });

  it.each([
    'http://h',
    'redis-sentinel://a:1',
    'redis-sentinel://a:1/main/x',
    'redis-sentinel:///main',
    'redis-cluster://a:1/0',
    'redis-cluster://a:99999',
    'redis-cluster://a:1,,b:1',
    'redis-cluster://u:%zz@a',
    'redis-sentinels://a/main',
  ])('is not %s', (url) => {
    expect(parseRedisUrl(url)).toBeUndefined();
  });
});
