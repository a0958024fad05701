// For the type check. Vite has its own settings.
export default {};
