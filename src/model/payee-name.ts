/** The names of payees in comparable form. */

/** Without case, accents, punctuation and legal forms; undefined if nothing is left. */
export function comparedName(name: string): string | undefined {
  // Most names are plain words without a legal form.
  const lower = name.toLowerCase();
  if (PLAIN_WORDS.test(lower) && !lower.split(" ").some((word) => LEGAL_FORMS.has(word))) return lower;
  const words = wordsOf(name).filter((word) => word !== "");
  const proper = words.filter((word) => !LEGAL_FORMS.has(word));
  const compared = (proper.length > 0 ? proper : words).join(" ");
  return compared === "" ? undefined : compared;
}

const PLAIN_WORDS = /^[a-z0-9]+(?: [a-z0-9]+)*$/;

/** Most names have only ASCII letters, which take a fraction of the time. */
function wordsOf(name: string): readonly string[] {
  if (!/[^ -~]/.test(name))
    return name
      .toLowerCase()
      .replace(/[.']/g, "")
      .split(/[^a-z0-9]+/);
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\p{M}.'’]/gu, "");
  return plain.split(/[^\p{L}\p{N}]+/u);
}

const LEGAL_FORMS: ReadonlySet<string> = new Set(
  `ab ag aps as asa bv bvba co company corp corporation cv doo eirl eurl gbr gmbh inc incorporated kft kg kgaa kk lda
  limited llc llp lp ltd ltda mbh nv ohg oo oy oyj plc pte pty rl sa sac sarl sas sasu se sl slu sp spa spzoo srl srls
  sro ug z`.split(/\s+/),
);
