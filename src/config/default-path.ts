/** Where the configuration is looked for unless it is named. Apart from the loader, so that naming it loads no parser. */
export const DEFAULT_CONFIG_PATH = "paydrop.yaml";
