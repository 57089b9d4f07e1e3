import { exactObject, type JsonSchema, TEXT, UUID } from './json-schema.js';

/** A job of `Queues.workspaceRun`: go on with a run of a workspace directory. */
export interface RunJob {
  runId: string;
  /** The trace that started the run or its turn, if it is recorded. */
  traceparent?: string;
}

export const RUN_JOB: JsonSchema = exactObject({ runId: UUID }, { traceparent: TEXT });
