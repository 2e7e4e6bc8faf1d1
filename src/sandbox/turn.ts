/**
 * What comes up during one turn of the event loop, done together at its end: one commit for all requests of the turn, and answers that
 * leave together, so that a client that sleeps is woken once for all of them.
 */

/** A function that collects items; `doAll` gets those of one turn. */
export function oncePerTurn<Item>(doAll: (items: readonly Item[]) => void): (item: Item) => void {
  let collected: Item[] = [];
  const finish = () => {
    const items = collected;
    collected = [];
    doAll(items);
  };
  return (item) => {
    if (collected.length === 0) setImmediate(finish);
    collected.push(item);
  };
}
