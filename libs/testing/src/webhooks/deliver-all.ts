interface Delivery<Endpoint> {
  endpointsOf: (sourceId: string, onMissed: () => void) => Promise<Endpoint[]>;
  runLane: (endpoint: Endpoint) => Promise<unknown>;
}

/** Delivers the pending events of a source, as a worker does. */
export async function deliverAll<Endpoint>(
  delivery: Delivery<Endpoint>,
  sourceId: string,
): Promise<void> {
  let hasMissed = false;
  const endpoints = await delivery.endpointsOf(sourceId, () => (hasMissed = true));
  for (const endpoint of endpoints) await delivery.runLane(endpoint);
  if (hasMissed) await deliverAll(delivery, sourceId);
}
