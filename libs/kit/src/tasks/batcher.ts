/**
 * Combines calls that arrive while one is under way: the next one serves them together. A lone call is made
 * at once. What a call for several fails at, or gives no output for, is called alone afterwards, so that one
 * input cannot fail or hold up the others. A call belongs to the trace of its
 * first input.
 */
import { traceKeeper } from '../tracing/traces.js';

/** @returns the outputs in the order of the inputs; undefined for an input that must be called alone */
export type BatchCall<Input, Output> = (
  inputs: readonly Input[],
  isAlone: boolean,
) => Promise<readonly (Output | undefined)[]>;

interface Waiting<Input, Output> {
  input: Input;
  settle: (output: Promise<Output | undefined>) => void;
  inTrace: ReturnType<typeof traceKeeper>;
}

export class Batcher<Input, Output> {
  private waiting: Waiting<Input, Output>[] = [];
  private isCalling = false;

  /** @param most inputs of one call */
  constructor(
    private readonly call: BatchCall<Input, Output>,
    private readonly most: number,
  ) {}

  /** @returns the output; undefined if the input has none when it is called alone */
  add(input: Input): Promise<Output | undefined> {
    return new Promise((settle) => {
      this.waiting.push({ input, settle, inTrace: traceKeeper() });
      if (!this.isCalling) void this.callAll();
    });
  }

  private async callAll(): Promise<void> {
    this.isCalling = true;
    while (this.waiting.length > 0) await this.callTogether(this.waiting.splice(0, this.most));
    this.isCalling = false;
  }

  private async callTogether(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    const [{ inTrace }] = batch as [Waiting<Input, Output>];
    const inputs = batch.map(({ input }) => input);
    const outputs = await inTrace(() => this.call(inputs, false)).catch(() => []);
    for (const [index, waiting] of batch.entries()) {
      const output = outputs[index];
      waiting.settle(output === undefined ? this.callAlone(waiting) : Promise.resolve(output));
    }
  }

  private async callAlone({ input, inTrace }: Waiting<Input, Output>): Promise<Output | undefined> {
    const [output] = await inTrace(() => this.call([input], true));
    return output;
  }
}
