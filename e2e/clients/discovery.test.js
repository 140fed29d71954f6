// Discovery, and access tokens verified by the published keys: oauth4webapi, openid-client, jose.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { isPlain, newClient, patience, scope, url } from './service.js'

const plain = isPlain ? { [oauth.allowInsecureRequests]: true } : {}
const audience = `${url}/v1`

async function discover() {
  const issuer = new URL(url)
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...plain })
  return oauth.processDiscoveryResponse(issuer, answer)
}

async function obtain(server, { id, secret }) {
  const client = { client_id: id }
  const answer = await oauth.clientCredentialsGrantRequest(
    server, client, oauth.ClientSecretPost(secret), { scope }, plain,
  )
  return oauth.processClientCredentialsResponse(server, client, answer)
}

test('oauth4webapi: discovers the server', async () => {
  const token = await obtain(await discover(), newClient())
  assert.equal(token.scope, scope)
})

test('oauth4webapi: refuses the metadata of another issuer', async () => {
  const answer = await oauth.discoveryRequest(new URL(url), { algorithm: 'oauth2', ...plain })
  const other = new URL(url.replace('127.0.0.1', 'localhost'))
  await assert.rejects(oauth.processDiscoveryResponse(other, answer), { code: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' })
})

for (const [name, address] of [['the API', audience], ['the service', url]]) {
  test(`oauth4webapi: discovers ${name} as a protected resource`, async () => {
    const answer = await oauth.resourceDiscoveryRequest(new URL(address), plain)
    const resource = await oauth.processResourceDiscoveryResponse(new URL(address), answer)
    assert.deepEqual(resource.authorization_servers, [url])
  })
}

test('oauth4webapi: validates an access token by RFC 9068', async () => {
  const server = await discover()
  const client = newClient()
  const { access_token: token } = await obtain(server, client)
  const request = new Request(`${url}/v1/incidents`, { headers: { authorization: `Bearer ${token}` } })
  const claims = await oauth.validateJwtAccessToken(server, request, audience, plain)
  assert.equal(claims.client_id, client.id)
  assert.equal(claims.scope, scope)
})

test('oauth4webapi: a refresh token is no access token', async () => {
  const server = await discover()
  const { refresh_token: token } = await obtain(server, newClient())
  const request = new Request(`${url}/v1/incidents`, { headers: { authorization: `Bearer ${token}` } })
  await assert.rejects(oauth.validateJwtAccessToken(server, request, audience, plain))
})

test('jose: verifies an access token by the published keys', async () => {
  const server = await discover()
  const { access_token: token } = await obtain(server, newClient())
  const keys = createRemoteJWKSet(new URL(server.jwks_uri), { timeoutDuration: 1000 * patience })
  const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: url, audience, typ: 'at+jwt' })
  assert.equal(payload.org, process.env.ORGANIZATION_ID)
  assert.ok(server.issuer === payload.iss && protectedHeader.kid)
})

test('openid-client: discovers, obtains, introspects and revokes', async () => {
  const { id, secret } = newClient()
  const client = await openid.discovery(new URL(url), id, undefined, openid.ClientSecretPost(secret), {
    algorithm: 'oauth2',
    timeout: patience,
    execute: isPlain ? [openid.allowInsecureRequests] : [],
  })
  assert.equal(client.serverMetadata().issuer, url)
  const token = await openid.clientCredentialsGrant(client, { scope })
  assert.equal((await openid.tokenIntrospection(client, token.access_token)).active, true)
  await openid.tokenRevocation(client, token.refresh_token)
  assert.deepEqual(await openid.tokenIntrospection(client, token.access_token), { active: false })
})
