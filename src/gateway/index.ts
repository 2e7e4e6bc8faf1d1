export {
  type FindFilter,
  type FindPaging,
  type Found,
  findDeposits,
  findPayouts,
  type Reading,
} from "./find.ts";
export { type Answer, type Gateway, type GatewaySettings, openGateway } from "./gateway.ts";
export { errorText, lookUp } from "./look-up.ts";
export { hmacSigner, type Signer, type SigningInput } from "./signing.ts";
