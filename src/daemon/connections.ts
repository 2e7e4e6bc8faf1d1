/** The open connections of a server: ends one when there are too many, and those that send too slowly. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { every } from "../context/clock.ts";

export type RawRequest = FastifyRequest["raw"];
export type Socket = RawRequest["socket"];

/** A connection that sends a body more slowly than this, measured over a window, is ended. */
interface LowestRate {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** At this rate the largest file takes two hours; a client that only keeps a connection open sends single bytes. */
const LOWEST_RATE: LowestRate = { bytesPerSecond: 8_000, windowMs: 10_000 };

const CONNECTIONS_MAX = 256;

/** Requests of one connection that wait for their answers. Browsers send the next one after an answer. */
const PIPELINED_MAX = 10;

/**
 * How long the rest of a body is read after the answer, because a client may read the answer only once it has sent
 * everything.
 */
const LINGER_MS = 5_000;

interface Open {
  readonly socket: Socket;
  readonly address: string;
  /** Requests whose answers have not been sent. */
  readonly asked: Set<RawRequest>;
  /** The body that is being received. */
  body?: { readonly request: RawRequest; sinceMs: number; bytesBefore: number; isAnswered: boolean };
}

export class Connections {
  private readonly byPeer = new Map<string, Open>();
  private readonly admitted = new WeakSet<RawRequest>();
  private readonly slighted = new WeakSet<Open>();
  private readonly lowestRate: LowestRate;

  constructor(lowestRate: LowestRate = LOWEST_RATE) {
    this.lowestRate = lowestRate;
  }

  /**
   * From now on this request's connection is not ended for a new one, as long as its body keeps the lowest rate.
   */
  admit(request: RawRequest): void {
    this.admitted.add(request);
  }

  /** From now on this request's connection is one of the first to be ended for a new one. */
  slight({ socket }: RawRequest): void {
    const open = this.byPeer.get(peerOf(socket));
    if (open !== undefined) this.slighted.add(open);
  }

  /** Watches a server until it closes. */
  watch(server: FastifyInstance["server"]): void {
    server.on("connection", (socket: Socket) => this.opened(socket));
    server.prependListener("request", (request: RawRequest, response: FastifyReply["raw"]) =>
      this.asked(request, response),
    );
    const stop = every(Math.min(1_000, this.lowestRate.windowMs / 4), () => this.endSlow());
    server.once("close", stop);
  }

  /** For a TLS server this is the connection below TLS, whose peer is the same. */
  private opened(socket: Socket): void {
    const peer = peerOf(socket);
    const open: Open = { socket, address: networkOf(socket.remoteAddress ?? ""), asked: new Set() };
    this.byPeer.set(peer, open);
    socket.once("close", () => {
      if (this.byPeer.get(peer) === open) this.byPeer.delete(peer);
    });
    if (this.byPeer.size > CONNECTIONS_MAX) this.makeRoomFor(open);
  }

  private asked(request: RawRequest, response: FastifyReply["raw"]): void {
    const open = this.byPeer.get(peerOf(request.socket));
    if (open === undefined) return;
    open.asked.add(request);
    if (open.asked.size > PIPELINED_MAX) open.socket.destroy();
    const bytesBefore = request.socket.bytesRead;
    if (!request.complete)
      open.body = { request, sinceMs: performance.now(), bytesBefore, isAnswered: false };
    response.once("finish", () => {
      if (request.complete || open.body?.request !== request) return;
      // Closing a connection with unread bytes would destroy the answer.
      open.body = { ...open.body, sinceMs: performance.now(), isAnswered: true };
      request.resume();
    });
    response.once("close", () => open.asked.delete(request));
  }

  /**
   * Ends a connection whose client the server waits for, otherwise one that is being answered; never one of an
   * admitted request.
   */
  private makeRoomFor(newest: Open): void {
    const others = [...this.byPeer.values()].filter((each) => each !== newest);
    const by = Map.groupBy(others, (each) => this.standing(each));
    const ended = oldestOfMost(by.get("waited for")) ?? oldestOfMost(by.get("answered")) ?? newest;
    ended.socket.destroy();
  }

  /** "waited for": it is silent, its request is incomplete, or it was slighted. */
  private standing(open: Open): "waited for" | "answered" | "admitted" {
    if (this.slighted.has(open)) return "waited for";
    const asked = [...open.asked];
    if (asked.some((request) => this.admitted.has(request))) return "admitted";
    return asked.some(({ complete }) => complete) ? "answered" : "waited for";
  }

  private endSlow(): void {
    const nowMs = performance.now();
    const { bytesPerSecond, windowMs } = this.lowestRate;
    for (const open of this.byPeer.values()) {
      const { body } = open;
      if (body === undefined) continue;
      const { request, isAnswered } = body;
      const bytes = request.socket.bytesRead;
      if (request.complete) delete open.body;
      else if (isAnswered && nowMs - body.sinceMs > LINGER_MS) open.socket.destroy();
      else if (isAnswered) continue;
      // There are unread bytes: the server is the slow side.
      else if (request.readableLength > 0) open.body = { ...body, sinceMs: nowMs, bytesBefore: bytes };
      else if (nowMs - body.sinceMs >= windowMs) {
        const lowest = (bytesPerSecond * (nowMs - body.sinceMs)) / 1_000;
        if (bytes - body.bytesBefore < lowest) open.socket.destroy();
        else open.body = { ...body, sinceMs: nowMs, bytesBefore: bytes };
      }
    }
  }
}

/** The oldest connection of the address that has the most of these. */
function oldestOfMost(connections: readonly Open[] = []): Open | undefined {
  const byAddress = [...Map.groupBy(connections, ({ address }) => address).values()];
  const most = Math.max(0, ...byAddress.map(({ length }) => length));
  return byAddress.find(({ length }) => length === most)?.[0];
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** An address; for IPv6 its first half, since one machine can use all addresses that share it. */
export function networkOf(address: string): string {
  if (address.includes(".") || !address.includes(":")) return address;
  const [before = ""] = address.split("::");
  return [...before.split(":"), "0", "0", "0"].slice(0, 4).join(":");
}
