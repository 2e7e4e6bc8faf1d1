/** The default secrets of `paydrop sandbox`; worthless anywhere else. */
export const demoSecrets = {
  PAYDROP_KEY: "demo-key",
  PAYDROP_SIGNING_SECRET: "demo-signing-secret-0001",
  PAYDROP_OTP_SECRET: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
} as const;
