/** Keeps how far a follower has come. `Context` is what handlers write through, such as a transaction. */
export interface Store<Context> {
  /** The most events of one step. 1 if a step that fails cannot undo what its handlers did. */
  readonly eventsMax: number;

  /** The position of the follower with this name; undefined before its first step. */
  position(name: string): Promise<string | undefined>;

  /**
   * Takes a step: runs `work`, then moves from `from` to the position that it resolves to. What `work` writes
   * through its context is kept with the new position, or not at all.
   *
   * @returns the new position; undefined if the old one is not `from`, or another process is taking a step:
   *   then `work` has not run
   */
  move(
    name: string,
    from: string | undefined,
    work: (context: Context) => Promise<string>,
  ): Promise<string | undefined>;
}
