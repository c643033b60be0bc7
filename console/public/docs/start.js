// Draws the API reference by Swagger UI, in the colour scheme that starting.js has set.
const { classList, dataset } = document.documentElement;
classList.toggle('dark-mode', dataset.mantineColorScheme === 'dark');

SwaggerUIBundle({
  dom_id: '#reference',
  url: '/openapi.json',
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  // Or the document's address would go to an outside host.
  validatorUrl: null,
});
