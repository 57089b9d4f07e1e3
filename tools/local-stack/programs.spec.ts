import { plannedPackages } from './debian-packages.mjs';
import { gatewayCommand, isAtLeast } from './gateway.mjs';
import { sameVersions } from './install.mjs';
import { majorVersion } from './postgres-programs.mjs';
import { parseRedisVersion, redisConfiguration } from './redis.mjs';

describe('versions', () => {
  it('reads those of PostgreSQL, also of beta releases and of packagers', () => {
    expect(majorVersion('postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)')).toBe(15);
    expect(majorVersion('postgres (PostgreSQL) 19beta1')).toBe(19);
    expect(majorVersion('')).toBeUndefined();
  });

  it('reads those of Redis and Valkey', () => {
    expect(parseRedisVersion('Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc')).toEqual({
      major: 7,
      label: 'Redis 7.0.15',
    });
    expect(parseRedisVersion('Valkey server v=8.0.1 sha=0')?.label).toBe('Valkey 8.0.1');
    expect(parseRedisVersion('')).toBeUndefined();
  });

  it('orders those of nginx by number, not by letter', () => {
    expect(isAtLeast([1, 18, 0], [1, 19, 5])).toBe(false);
    expect(isAtLeast([1, 19, 5], [1, 19, 5])).toBe(true);
    expect(isAtLeast([1, 22, 1], [1, 19, 5])).toBe(true);
    expect(isAtLeast([2], [1, 19, 5])).toBe(true);
  });
});

describe('sameVersions', () => {
  const wanted = {
    '': { version: '1.0.0' },
    'node_modules/pg': { version: '8.23.1' },
    'node_modules/@swc/core-darwin-arm64': { version: '1.0.0', optional: true },
  };

  it('does not miss the optional packages of other platforms', () => {
    expect(sameVersions(wanted, { 'node_modules/pg': { version: '8.23.1' } })).toBe(true);
  });

  it('notices a package that is missing or of another version', () => {
    expect(sameVersions(wanted, {})).toBe(false);
    expect(sameVersions(wanted, { 'node_modules/pg': { version: '8.23.0' } })).toBe(false);
  });
});

describe('plannedPackages', () => {
  it('reads the packages that apt-get would install, and ignores all other lines', () => {
    const simulation = [
      'Reading package lists...',
      'The following NEW packages will be installed:',
      '  libjemalloc2 redis-server',
      'Inst libjemalloc2 (5.3.0-1 Debian:12.0/stable [amd64])',
      'Inst redis-server (5:7.0.15-1 Debian:12.0/stable [amd64])',
      'Conf libjemalloc2 (5.3.0-1 Debian:12.0/stable [amd64])',
    ].join('\n');
    expect(plannedPackages(simulation)).toEqual(['libjemalloc2', 'redis-server']);
  });
});

describe('gatewayCommand', () => {
  it('lists the replicas of each service, and an address without listener for none', () => {
    const hosts = { KEY_SERVICE: ['127.0.0.1:1081', '127.0.0.1:1082'], DSYNC_API: [] };
    expect(gatewayCommand('nginx', '/run', { ...hosts, WORKERS: '1' }).env).toEqual({
      KEY_SERVICE: '127.0.0.1:1081 127.0.0.1:1082',
      DSYNC_API: '127.0.0.1:1',
      WORKERS: '1',
      RUN_DIR: '/run',
      NGINX_PATH: 'nginx',
    });
  });
});

describe('the configuration of Redis', () => {
  it('keeps data, evicts nothing, and listens on loopback behind a password', () => {
    const lines = redisConfiguration({ port: 1, password: 'p', folder: '/a b/c' }).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'bind 127.0.0.1',
        'requirepass p',
        'dir "/a b/c"',
        'appendonly yes',
        'maxmemory-policy noeviction',
      ]),
    );
  });
});
