import { Batcher } from './batcher.js';

/** Ends each call when the test says so, and remembers its inputs. */
function heldCalls(
  answer: (inputs: readonly number[], isAlone: boolean) => (string | undefined)[],
) {
  const calls: { inputs: readonly number[]; isAlone: boolean }[] = [];
  const ends: (() => void)[] = [];
  const call = async (inputs: readonly number[], isAlone: boolean) => {
    calls.push({ inputs, isAlone });
    await new Promise<void>((end) => ends.push(end));
    return answer(inputs, isAlone);
  };
  const endNext = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { calls, call, endNext };
}

const texts = (inputs: readonly number[]) => inputs.map(String);
const inputsOf = ({ calls }: ReturnType<typeof heldCalls>) => calls.map(({ inputs }) => inputs);

describe('Batcher', () => {
  it('calls at once for a lone input, and together for those that come meanwhile', async () => {
    const held = heldCalls(texts);
    const batcher = new Batcher(held.call, 2);
    const outputs = [1, 2, 3, 4].map((input) => batcher.add(input));
    expect(inputsOf(held)).toEqual([[1]]);
    for (let n = 0; n < 3; n++) await held.endNext();
    expect(inputsOf(held)).toEqual([[1], [2, 3], [4]]);
    expect(await Promise.all(outputs)).toEqual(['1', '2', '3', '4']);
  });

  it('calls alone for an input without an output, and does not hold up the others', async () => {
    const held = heldCalls((inputs, isAlone) =>
      inputs.map((input) => (input === 2 && !isAlone ? undefined : String(input))),
    );
    const batcher = new Batcher(held.call, 10);
    const first = batcher.add(1);
    const [second, third] = [batcher.add(2), batcher.add(3)];
    await held.endNext();
    await held.endNext();
    expect(await Promise.all([first, third])).toEqual(['1', '3']);
    const fourth = batcher.add(4);
    expect(inputsOf(held)).toEqual([[1], [2, 3], [2], [4]]);
    expect(held.calls.map(({ isAlone }) => isAlone)).toEqual([false, false, true, false]);
    await held.endNext();
    await held.endNext();
    expect(await Promise.all([second, fourth])).toEqual(['2', '4']);
  });

  it('fails for the input alone that makes a call fail', async () => {
    const held = heldCalls((inputs) => {
      if (inputs.includes(2)) throw new Error('two');
      return texts(inputs);
    });
    const batcher = new Batcher(held.call, 10);
    const outputs = [1, 2, 3].map((input) => batcher.add(input));
    const settled = Promise.allSettled(outputs);
    for (let n = 0; n < 4; n++) await held.endNext();
    expect((await settled).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await outputs[2]).toBe('3');
  });

  it('returns undefined for an input that has no output when it is called alone', async () => {
    const batcher = new Batcher<number, string>(() => Promise.resolve([undefined]), 10);
    expect(await batcher.add(1)).toBeUndefined();
  });
});
