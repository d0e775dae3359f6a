export const webhookActions = {
  "webhook.created": "made the webhook",
  "webhook.changed": "changed the webhook",
  "webhook.secret_replaced": "replaced the secret of the webhook",
  "webhook.switched_off": "switched off the webhook",
  "webhook.deleted": "deleted the webhook"
}
