// Renders the API reference with Swagger UI, in the colour scheme that starting.js has set.
const { classList, dataset } = document.documentElement;
classList.toggle('dark-mode', dataset.mantineColorScheme === 'dark');

SwaggerUIBundle({
  dom_id: '#reference',
  url: '/openapi.json',
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  // The default sends the document's URL to an external host.
  validatorUrl: null,
});
