// For the npm scripts: takes settings from .env in the working directory, where the environment does not
// have them already. Node's own --env-file-if-exists would print a line whenever there is none.
try {
  process.loadEnvFile?.();
} catch (error) {
  if (error.code !== 'ENOENT') {
    process.stderr.write(`.env cannot be read: ${error.message}\n`);
    process.exit(1);
  }
}
