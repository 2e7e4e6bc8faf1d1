/**
 * Takes over forms that carry what a passkey is asked: `data-request` to sign, `data-registration` to make one. The
 * browser's answer goes into the form's field of that name, and the form is sent as any other. Also lets
 * `/` reach the search.
 */
const { startAuthentication, startRegistration } = globalThis.SimpleWebAuthnBrowser ?? {};

for (const form of document.querySelectorAll("form[data-request], form[data-registration]")) {
  form.addEventListener("submit", (event) => {
    // The buttons of the other way, without a passkey.
    if (event.submitter?.hasAttribute("data-plain")) return;
    event.preventDefault();
    void answered(form);
  });
  for (const part of form.querySelectorAll("[data-script]")) part.hidden = false;
}

async function answered(form) {
  const { request, registration } = form.dataset;
  const button = form.querySelector("button:not([data-plain])");
  const said = form.querySelector("[data-said]");
  button.disabled = true;
  said.textContent = "";
  try {
    const answer =
      request === undefined
        ? await startRegistration({ optionsJSON: JSON.parse(registration) })
        : await startAuthentication({ optionsJSON: JSON.parse(request) });
    form.elements.namedItem(request === undefined ? "passkey" : "signature").value = JSON.stringify(answer);
    form.submit();
  } catch (error) {
    said.textContent = wordsOf(error);
    button.disabled = false;
    button.focus();
  }
}

function wordsOf({ name, message }) {
  if (name === "NotAllowedError" || name === "AbortError")
    return (
      "Nothing was signed: the browser was stopped, or found no passkey of yours here. " +
      "Try again when you are ready."
    );
  return `Nothing was signed: ${message}`;
}

const search = document.getElementById("q");
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select") !== null;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey || search === null)
    return;
  event.preventDefault();
  search.focus();
});
