/**
 * A service that shows what a generator planted, page by page and in any order. It imports nothing of what it tests: a
 * payout or deposit is the JSON element that the service shows.
 */
import { FIND, startOddService } from "../../gateway/odd-service.ts";
import type { Chance } from "../../simulation/chance.ts";

export type Element = Readonly<Record<string, unknown>>;

export interface Planted {
  readonly payouts: readonly Element[];
  /** Payouts that pages leave out, and a search by id finds. */
  readonly onlyById?: readonly Element[];
  readonly deposits: readonly Element[];
  /** By custody account, what it holds, in satoshis. */
  readonly balances: ReadonlyMap<string, bigint>;
}

/** How the pages of one night are cut. */
export interface Paging {
  /** The service gives no more at a time, whatever is asked for. */
  readonly sizeMax: number;
  /** Elements come in an order of their own, the same on each page. */
  readonly isShuffled: boolean;
  /** Elements come in the order of their creation that is asked for; otherwise in the order in which they are given. */
  readonly isSorted?: boolean;
  /** While the first reading goes on, the elements move on by one. */
  readonly moves: boolean;
  /** By how much totalElements is wrong, always. */
  readonly miscount: number;
}

const DEPOSITS = "/deposits/v2/find";
const BALANCES = "/accounts/balance";

interface Asked {
  readonly page?: number;
  readonly size?: number;
  readonly payoutIds?: readonly string[];
  readonly depositIds?: readonly string[];
  readonly references?: readonly string[];
  readonly states?: readonly string[];
  readonly sort?: Readonly<Record<string, string>>;
}

/** An honest sandbox until something is shown. */
export async function startPlantedService(chance: Chance) {
  let shown: { readonly planted: Planted; readonly paging: Paging } | undefined;
  const pagesAsked = new Map<string, number>();
  const asked: { readonly path: string; readonly body: Asked }[] = [];
  const outages = { ofBalances: 0 };
  const service = await startOddService(({ path, body, honest, answer }) => {
    if (shown === undefined) return false;
    const { planted, paging } = shown;
    if (path === BALANCES && outages.ofBalances > 0) {
      outages.ofBalances -= 1;
      return void answer(500, "[]");
    }
    if (path === BALANCES) return void answer(200, balancesIn(honest().body, planted.balances));
    if (path !== FIND && path !== DEPOSITS) return false;
    const search = JSON.parse(body) as Asked;
    asked.push({ path, body: search });
    const isById = search.payoutIds !== undefined || search.references !== undefined;
    const payouts = isById ? [...planted.payouts, ...(planted.onlyById ?? [])] : planted.payouts;
    const elements = path === FIND ? payouts : planted.deposits;
    const askedBefore = pagesAsked.get(path) ?? 0;
    pagesAsked.set(path, askedBefore + 1);
    return void answer(200, pageOf(ordered(elements, paging, askedBefore), search, paging));
  });
  return {
    url: service.url,
    /** All searches since it shows what was planted. */
    asked,
    /** How many more requests for balances it fails. */
    outages,
    show(planted: Planted, paging: Paging): void {
      pagesAsked.clear();
      const order = (elements: readonly Element[]) =>
        paging.isShuffled ? elements.toSorted(() => (chance.happens(0.5) ? 1 : -1)) : elements;
      shown = {
        planted: { ...planted, payouts: order(planted.payouts), deposits: order(planted.deposits) },
        paging,
      };
    },
  };
}

/** On the second page of a reading the elements have moved on: one of them is passed over, another comes twice. */
function ordered(elements: readonly Element[], { moves }: Paging, askedBefore: number): readonly Element[] {
  const [first] = elements;
  const isMoved = moves && first !== undefined && askedBefore === 1;
  return isMoved ? [...elements.slice(1), first] : elements;
}

function pageOf(all: readonly Element[], asked: Asked, { sizeMax, miscount, isSorted }: Paging): string {
  const elements = isSorted ? inOrder(all, asked.sort?.["createdDate"] === "DESC" ? -1 : 1) : all;
  const named = asked.payoutIds ?? asked.depositIds;
  const ids = named && new Set(named);
  const found = elements.filter(
    (each) =>
      (ids?.has(String(each["payoutId"] ?? each["depositId"])) ?? true) &&
      (asked.references?.includes(String(each["reference"])) ?? true) &&
      (asked.states?.includes(String(each["payoutState"] ?? each["depositState"])) ?? true),
  );
  const size = Math.min(asked.size ?? sizeMax, sizeMax);
  const number = asked.page ?? 0;
  const content = found.slice(number * size, (number + 1) * size);
  const totals = {
    totalPages: Math.ceil(found.length / size),
    totalElements: found.length + (found.length === 0 ? 0 : miscount),
  };
  return JSON.stringify({ results: { content, ...totals, size, number } });
}

function inOrder(elements: readonly Element[], sign: number): readonly Element[] {
  const at = (element: Element) => Date.parse(String(element["createdDate"]));
  return elements.toSorted((one, other) => sign * (at(one) - at(other)));
}

function balancesIn(body: string, balances: Planted["balances"]): string {
  const shown = JSON.parse(body) as {
    balances: { accountId: string; btcBalance: { total: { amount: unknown } } }[];
  };
  for (const { accountId, btcBalance } of shown.balances) {
    const satoshis = balances.get(accountId);
    if (satoshis !== undefined) btcBalance.total.amount = Number(satoshis) / 1e8;
  }
  return JSON.stringify(shown);
}
