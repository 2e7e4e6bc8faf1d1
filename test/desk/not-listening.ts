/** Of a desk that is still starting, nothing; any other error is thrown. */
export function unlessNotListening(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ECONNREFUSED") throw error;
}
