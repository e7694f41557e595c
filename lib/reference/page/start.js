(() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', choose);
  choose();

  /** For reading only: a token has no business on a page that anybody may open. */
  const nothing = () => null;
  const readOnly = () => ({
    components: {
      authorizeBtn: nothing,
      authorizeOperationBtn: nothing,
      ServersContainer: nothing,
    },
  });

  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    supportedSubmitMethods: [],
    validatorUrl: null,
    plugins: [readOnly],
    // The reference grows above the problems while it is drawn, so the browser has scrolled too early.
    onComplete: () => {
      const place = /^#problem/.test(location.hash) && document.querySelector(location.hash);
      if (place) place.scrollIntoView();
    },
  });
})();
