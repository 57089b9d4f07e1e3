import { exactObject, type JsonSchema, UUID } from './json-schema.js';

/** A job of `Queues.deliveryLane`: deliver the pending events of a directory. */
export interface LaneJob {
  directoryId: string;
}

export const LANE_JOB: JsonSchema = exactObject({ directoryId: UUID });
