import { busyAdvice, portAdvice } from './advice.mjs';
import { portPlan, portsOf } from './ports.mjs';

describe('busyAdvice', () => {
  it('says that a machine is busy, and what to do', () => {
    expect(busyAdvice(24.3, 2)).toBe(
      'This machine is busy: 24 programs share 2 cores. A start may take minutes, or fail; end other programs, or try again later.',
    );
    expect(busyAdvice(3, 1)).toContain('3 programs share 1 core.');
  });

  it('is silent on a machine that has time', () => {
    expect(busyAdvice(5.9, 2)).toBeUndefined();
  });
});

describe('portAdvice', () => {
  const range = [32_768, 60_999];
  const portsFrom = (base: number) => portsOf(portPlan(base));

  it.each([
    [32_768, 'Port 32768 and others are'],
    [60_990, 'Port 60990 and others are'],
    // Only the ports of the metrics.
    [31_768, 'Port 32768 and others are'],
  ])('names the first port of base %d that outgoing connections may take', (base, start) => {
    expect(portAdvice(portsFrom(base), range)).toBe(
      `${start} among those of outgoing connections (32768 to 60999), so any program may take one at any time. ` +
        'Choose a lower base: npm start -- --port-base 18080',
    );
  });

  it.each([8080, 18_080, 31_663, 61_000])('is silent about base %d', (base) => {
    expect(portAdvice(portsFrom(base), range)).toBeUndefined();
  });
});
