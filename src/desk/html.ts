export { exact, type Html, html, type Part } from "../model/html.ts";
