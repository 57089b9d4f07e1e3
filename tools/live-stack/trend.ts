/** Whether a series of samples grows beyond its noise. */
export interface Sample {
  /** Seconds since the beginning. */
  at: number;
  value: number;
}

export interface Trend {
  /** The value in the middle of the series. */
  level: number;
  perHour: number;
  /** Confidence interval of `perHour`. */
  lowPerHour: number;
  highPerHour: number;
}

const HOUR_SECONDS = 3_600;
/** For a confidence of 99 %. */
const NORMAL_QUANTILE = 2.576;

/**
 * The slope by Theil and Sen: the median of the slopes of all pairs, which a few outliers do not
 * change. Its interval is that of Sen (1968), from the variance of Kendall's statistic.
 */
export function trendOf(samples: readonly Sample[]): Trend {
  const slopes: number[] = [];
  for (const [index, { at, value }] of samples.entries()) {
    for (const later of samples.slice(index + 1)) {
      if (later.at > at) slopes.push(((later.value - value) / (later.at - at)) * HOUR_SECONDS);
    }
  }
  if (slopes.length === 0) throw new RangeError('a trend needs two samples');
  slopes.sort((a, b) => a - b);
  const { length } = samples;
  const spread = NORMAL_QUANTILE * Math.sqrt((length * (length - 1) * (2 * length + 5)) / 18);
  const at = (rank: number) =>
    slopes[Math.min(Math.max(Math.round(rank), 0), slopes.length - 1)] as number;
  return {
    level: median(samples.map(({ value }) => value)),
    perHour: median(slopes),
    lowPerHour: at((slopes.length - spread) / 2 - 1),
    highPerHour: at((slopes.length + spread) / 2),
  };
}

/**
 * The lowest sample of each of `count` equal stretches of time. Of a heap, it is close to what a
 * collection left, so the sawtooth between collections disappears.
 */
export function lowestOf(samples: readonly Sample[], count: number): Sample[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at === first.at) return [...samples];
  const lowest = new Map<number, Sample>();
  for (const sample of samples) {
    const share = (sample.at - first.at) / (last.at - first.at);
    const index = Math.min(Math.floor(share * count), count - 1);
    const known = lowest.get(index);
    if (!known || sample.value < known.value) lowest.set(index, sample);
  }
  return [...lowest.values()];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [upper = NaN, lower = NaN] = [Math.floor, (half: number) => Math.ceil(half) - 1].map(
    (round) => sorted[round(sorted.length / 2)],
  );
  return (upper + lower) / 2;
}
