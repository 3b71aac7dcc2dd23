// What somebody has answered and the server has not heard of yet: it lies in the browser until it was sent, whatever
// happens to the page or the network in between. The server counts each answer once, so that one may be sent twice.
import type {DrillSession} from '../api';
import {recall, remember} from '../store';

export interface Given {
  at: string;
  exercise: string;
  right: boolean;
}

const most = 5000; // that wait

// waiting are the answers that were not sent yet.
export const waiting = (): Given[] => recall<{answers: Given[]}>('drill', {answers: []}).answers;

const keep = (answers: readonly Given[]): void => remember('drill', {answers: answers.slice(-most)});

// give keeps an answer.
export const give = (exercise: string, right: boolean, now = new Date()): void =>
  keep([...waiting(), {at: now.toISOString(), exercise, right}]);

// send hands on what waits, in parts that the server takes, and forgets what has arrived. What was given meanwhile
// stays.
export async function send(post: (answers: Given[]) => Promise<unknown>): Promise<number> {
  let sent = 0;
  for (let part = waiting().slice(0, 500); part.length; part = waiting().slice(0, 500)) {
    await post(part);
    const there = new Set(part.map(x => x.at + x.exercise));
    keep(waiting().filter(x => !there.has(x.at + x.exercise)));
    sent += part.length;
  }
  return sent;
}

// put and last keep the session that was asked for last, for when there is no network.
export const put = (key: string, session: DrillSession): void => remember('drill.session', {key, session});
export function last(key: string): DrillSession | null {
  const {key: of, session} = recall<{key: string; session: DrillSession | null}>('drill.session', {
    key: '',
    session: null,
  });
  if (of !== key || !session) return null;
  const done = new Set(waiting().map(x => x.exercise));
  return {...session, items: session.items.filter(x => !done.has(x.exercise))};
}
