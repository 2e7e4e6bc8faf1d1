/** The default path of the configuration. Separate from the loader, so that using it does not load a parser. */
export const DEFAULT_CONFIG_PATH = "paydrop.yaml";
