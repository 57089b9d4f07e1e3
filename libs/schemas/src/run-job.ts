import { exactObject, type JsonSchema, UUID } from './json-schema.js';

/** A job of `Queues.workspaceRun`: go on with a run of a workspace directory. */
export interface RunJob {
  runId: string;
}

export const RUN_JOB: JsonSchema = exactObject({ runId: UUID });
