import {
  dateTimeWithZone,
  isTimeZone,
  localDateTime,
  timeWithSeconds,
  timeWithZone,
} from './time-zone.js';

describe('dateTimeWithZone', () => {
  it.each([
    ['2024-01-02T03:04', 'UTC', '2024-01-02T03:04:00Z'],
    ['2024-01-02T03:04:05', 'UTC', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05.25', '+02:00', '2024-01-02T03:04:05.25+02:00'],
    ['2024-01-02T03:04', '-03:30', '2024-01-02T03:04:00-03:30'],
    ['2024-01-02T03:04', 'Europe/Berlin', '2024-01-02T03:04:00+01:00'],
    ['2024-07-02T03:04', 'Europe/Berlin', '2024-07-02T03:04:00+02:00'],
    ['2024-07-02T03:04', 'America/New_York', '2024-07-02T03:04:00-04:00'],
    ['2024-07-02T03:04', 'Asia/Kolkata', '2024-07-02T03:04:00+05:30'],
    ['2024-03-31T01:59', 'Europe/Berlin', '2024-03-31T01:59:00+01:00'],
    ['2024-03-31T03:00', 'Europe/Berlin', '2024-03-31T03:00:00+02:00'],
    ['2024-10-27T04:00', 'Europe/Berlin', '2024-10-27T04:00:00+01:00'],
    ['2024-11-03T12:00', 'America/New_York', '2024-11-03T12:00:00-05:00'],
  ])('%s in %s is %s', (text, zone, expected) => {
    expect(dateTimeWithZone(text, zone)).toBe(expected);
  });

  it.each(['0000-06-01T00:00', '0001-01-01T00:00', '0099-12-31T23:59', '1800-01-01T00:00'])(
    'knows the local mean time of %s',
    (text) => {
      expect(dateTimeWithZone(text, 'Europe/Berlin')).toBe(`${text}:00+00:53`);
    },
  );

  it('takes the earlier of two moments when the clock is set back', () => {
    expect(dateTimeWithZone('2024-10-27T02:30', 'Europe/Berlin')).toBe('2024-10-27T02:30:00+02:00');
    expect(dateTimeWithZone('2024-11-03T01:30', 'America/New_York')).toBe(
      '2024-11-03T01:30:00-04:00',
    );
  });

  it.each(['2024-01-02T03:04:05Z', '2024-01-02 03:04', '2024-01-02', '2024-13-02T03:04', 'x', ''])(
    'leaves %j as it is',
    (text) => {
      expect(dateTimeWithZone(text, 'UTC')).toBe(text);
    },
  );

  it('leaves a text unchanged if the zone is unknown', () => {
    expect(dateTimeWithZone('2024-01-02T03:04', 'Moon/Base')).toBe('2024-01-02T03:04');
  });
});

describe('times', () => {
  it('get seconds and the standard time of the zone', () => {
    expect(timeWithZone('03:04', 'UTC')).toBe('03:04:00Z');
    expect(timeWithZone('03:04:05', 'UTC')).toBe('03:04:05Z');
    expect(timeWithZone('03:04', 'Europe/Berlin')).toBe('03:04:00+01:00');
    expect(timeWithZone('03:04', 'Australia/Sydney')).toBe('03:04:00+10:00');
    expect(timeWithZone('03:04:05+02:00', 'UTC')).toBe('03:04:05+02:00');
    expect(timeWithZone('03:04', 'Moon/Base')).toBe('03:04');
    expect(timeWithSeconds('03:04')).toBe('03:04:00');
  });

  it('of one zone share a formatter, because creating one is slow', () => {
    const { DateTimeFormat } = Intl;
    let created = 0;
    class CountedFormat extends DateTimeFormat {
      constructor(...options: ConstructorParameters<typeof DateTimeFormat>) {
        super(...options);
        created += 1;
      }
    }
    Intl.DateTimeFormat = CountedFormat as typeof DateTimeFormat;
    try {
      for (let time = 0; time < 100; time += 1) timeWithZone('03:04', 'Pacific/Auckland');
    } finally {
      Intl.DateTimeFormat = DateTimeFormat;
    }
    expect(created).toBe(1);
  });
});

describe('localDateTime', () => {
  it('shows a moment as a datetime-local input takes it', () => {
    expect(localDateTime('2024-01-02T03:04:00Z', 'UTC')).toBe('2024-01-02T03:04');
    expect(localDateTime('2024-07-02T01:04:05Z', 'Europe/Berlin')).toBe('2024-07-02T03:04:05');
    expect(localDateTime('2024-07-02T01:04:00.25Z', 'Europe/Berlin')).toBe(
      '2024-07-02T03:04:00.250',
    );
    expect(localDateTime('0001-01-01T00:00:00+00:53', 'Europe/Berlin')).toBe('0001-01-01T00:00');
    expect(localDateTime('9999-12-31T23:30:00Z', '+02:00')).toBe('9999-12-31T23:30:00Z');
    expect(localDateTime('soon', 'UTC')).toBe('soon');
    expect(localDateTime('2024-01-02', 'UTC')).toBe('2024-01-02');
  });
});

describe('isTimeZone', () => {
  it('knows IANA names and offsets', () => {
    expect(['UTC', 'Europe/Berlin', '+05:30', '-14:00'].every(isTimeZone)).toBe(true);
    expect(['', 'Moon/Base', '+5', '+25:00'].some(isTimeZone)).toBe(false);
  });
});
