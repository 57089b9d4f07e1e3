import { exactObject, type JsonSchema, TEXT, UUID } from './json-schema.js';

/** A job of `Queues.deliveryLane`: deliver the pending events of a source, such as a directory. */
export interface LaneJob {
  /** The delivery system that the source belongs to, such as `dsync`. */
  system: string;
  sourceId: string;
  /** The only endpoint to deliver to. */
  endpointId?: string;
  /** The trace that woke the lanes, if it is recorded. */
  traceparent?: string;
}

export const LANE_JOB: JsonSchema = exactObject(
  { system: TEXT, sourceId: UUID },
  { endpointId: UUID, traceparent: TEXT },
);
