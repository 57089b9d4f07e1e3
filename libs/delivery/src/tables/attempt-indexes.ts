/**
 * Indexes for lists of the attempts of one endpoint. Migrations call these functions, so what they
 * create never changes. Partitions that are created later get the indexes too.
 */

/** @returns the statements that create the indexes; writers wait meanwhile */
export function indexAttemptsOfEndpoints(schema: string): string[] {
  return [
    `DROP INDEX ${schema}.delivery_attempts_source`,
    `CREATE INDEX delivery_attempts_endpoint
      ON ${schema}.delivery_attempts (source_id, endpoint_id, id)`,
    `CREATE INDEX delivery_attempts_logged ON ${schema}.delivery_attempts (endpoint_id, id)
      WHERE payload IS NOT NULL`,
  ];
}

/** @returns the statements that undo `indexAttemptsOfEndpoints` */
export function dropIndexesOfAttempts(schema: string): string[] {
  return [
    `DROP INDEX ${schema}.delivery_attempts_logged, ${schema}.delivery_attempts_endpoint`,
    `CREATE INDEX delivery_attempts_source ON ${schema}.delivery_attempts (source_id, id)`,
  ];
}
