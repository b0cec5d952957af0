/** How long each list takes over HTTP, warm, one call after the other. */

export interface Timed {
  status: number;
  /** Items of the answer, where it is a list. */
  items: number | null;
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
}

export async function timeList(url: string, key: string, rounds: number): Promise<Timed> {
  const headers = { Authorization: `Bearer ${key}` };
  const times: number[] = [];
  let status = 0;
  let items: number | null = null;
  for (let round = -2; round < rounds; round++) {
    const began = performance.now();
    const answer = await fetch(url, { headers });
    const text = await answer.text();
    if (round >= 0) times.push(performance.now() - began);
    status = answer.status;
    const body = JSON.parse(text) as { items?: unknown[] };
    items = Array.isArray(body.items) ? body.items.length : null;
    // What takes seconds is known after a few.
    if (round >= 2 && times.reduce((sum, time) => sum + time, 0) > 10_000) break;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)] as number;
  return { status, items, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
}
