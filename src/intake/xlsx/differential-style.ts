/**
 * The differential style (`dxf`) of a conditional format: how it changes the appearance of a value. Whether its rule
 * applies is not computed.
 */
import type { Theme } from "./colours.ts";
import { addToFill, addToFont, hidesByColour, newFill, newFont } from "./font-visibility.ts";
import type { Attributes } from "./xml-walker.ts";

/** In words, to follow "a conditional format". */
export type RuleEffect =
  | "may strike values out"
  | "may show another number or text than the cell holds"
  | "may hide values, by their colour or size"
  | "shows bars or icons in place of values";

/** Gathers the elements of one differential style. */
export class DifferentialStyle {
  private readonly font = newFont();
  private readonly fill = newFill();
  private format = "General";

  open(name: string, attributes: Attributes, parent: string | undefined): void {
    if (parent === "font") addToFont(this.font, name, attributes);
    else if (name === "numFmt") this.format = attributes["formatCode"] ?? "";
    else addToFill(this.fill, name, attributes);
  }

  /** Undefined if the value remains visible as it is. */
  effect(theme: Theme): RuleEffect | undefined {
    const { font, fill, format } = this;
    if (font.isStruck) return "may strike values out";
    if (!/^(?:general|@)$/i.test(format)) return "may show another number or text than the cell holds";
    const isHidden = font.isTiny || hidesByColour(font, fill, theme);
    return isHidden ? "may hide values, by their colour or size" : undefined;
  }
}
