// oauth4webapi
import assert from 'node:assert/strict'
import test from 'node:test'
import * as oauth from 'oauth4webapi'
import { declare, incident, isPlain, newClient, scope, url, withWrongSecret } from './service.js'

// The library's own switch for tests on loopback.
const plain = isPlain ? { [oauth.allowInsecureRequests]: true } : {}
const server = {
  issuer: url,
  token_endpoint: `${url}/v1/oauth/token`,
  revocation_endpoint: `${url}/v1/oauth/revoke`,
  introspection_endpoint: `${url}/v1/oauth/introspect`,
}
const methods = { basic: oauth.ClientSecretBasic, post: oauth.ClientSecretPost }

async function obtain({ id, secret }, method = oauth.ClientSecretPost, parameters = { scope }) {
  const client = { client_id: id }
  const answer = await oauth.clientCredentialsGrantRequest(server, client, method(secret), parameters, plain)
  return oauth.processClientCredentialsResponse(server, client, answer)
}

async function refresh({ id, secret }, refreshToken, method = oauth.ClientSecretPost) {
  const client = { client_id: id }
  const answer = await oauth.refreshTokenGrantRequest(server, client, method(secret), refreshToken, plain)
  return oauth.processRefreshTokenResponse(server, client, answer)
}

for (const [name, method] of Object.entries(methods)) {
  test(`oauth4webapi: obtains a token by ${name} and calls the API`, async () => {
    const token = await obtain(newClient(), method)
    assert.equal(token.token_type, 'bearer')
    assert.equal(token.expires_in, 900)
    assert.equal(token.scope, scope)
    const headers = new Headers({ 'content-type': 'application/json' })
    const incidents = new URL(`${url}/v1/incidents`)
    const answer = await oauth.protectedResourceRequest(
      token.access_token, 'POST', incidents, headers, incident, plain,
    )
    assert.equal(answer.status, 201)
  })

  test(`oauth4webapi: refreshes by ${name}`, async () => {
    const client = newClient()
    const first = await obtain(client, method)
    const second = await refresh(client, first.refresh_token, method)
    assert.notEqual(second.refresh_token, first.refresh_token)
    assert.equal(await declare(second.access_token), 201)
  })
}

test('oauth4webapi: a wrong secret is invalid_client', async () => {
  await assert.rejects(obtain(withWrongSecret(newClient())), (error) => {
    assert.ok(error instanceof oauth.ResponseBodyError)
    assert.equal(error.error, 'invalid_client')
    assert.equal(error.error_description, 'The client credentials are missing or not valid.')
    assert.equal(error.status, 401)
    return true
  })
})

test('oauth4webapi: a wrong secret by Basic gets the challenge that HTTP asks for', async () => {
  let refused
  await assert.rejects(obtain(withWrongSecret(newClient()), oauth.ClientSecretBasic), (error) => {
    refused = error
    return true
  })
  assert.ok(refused instanceof oauth.WWWAuthenticateChallengeError)
  assert.equal(refused.cause[0].scheme, 'basic')
  assert.equal((await refused.response.json()).error, 'invalid_client')
})

test('oauth4webapi: a scope that may not be had is invalid_scope', async () => {
  for (const wanted of ['journal:read', 'no:such', 'incidents:read journal:read']) {
    await assert.rejects(obtain(newClient(), undefined, { scope: wanted }), { error: 'invalid_scope', status: 400 })
  }
})

test('oauth4webapi: a replayed refresh token ends the family', async () => {
  const client = newClient()
  const first = await obtain(client)
  const second = await refresh(client, first.refresh_token)
  for (const token of [first, second]) {
    await assert.rejects(refresh(client, token.refresh_token), { error: 'invalid_grant', status: 400 })
  }
  assert.equal(await declare(second.access_token), 401)
})

test('oauth4webapi: a wrong secret at a refresh spends nothing', async () => {
  const client = newClient()
  const { refresh_token: token } = await obtain(client)
  await assert.rejects(refresh(withWrongSecret(client), token), { error: 'invalid_client' })
  assert.ok((await refresh(client, token)).access_token)
})

test('oauth4webapi: the API refuses a wrong token with a Bearer challenge', async () => {
  const incidents = new URL(`${url}/v1/incidents`)
  const wrong = oauth.protectedResourceRequest('wrong', 'GET', incidents, undefined, undefined, plain)
  await assert.rejects(wrong, (error) => {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError)
    assert.equal(error.cause[0].scheme, 'bearer')
    assert.equal(error.cause[0].parameters.error, 'invalid_token')
    return true
  })
})

for (const [name, method] of Object.entries(methods)) {
  test(`oauth4webapi: introspects and revokes by ${name}`, async () => {
    const { id, secret } = newClient()
    const client = { client_id: id }
    const token = await obtain({ id, secret })

    const introspect = async () => {
      const answer = await oauth.introspectionRequest(server, client, method(secret), token.access_token, plain)
      return oauth.processIntrospectionResponse(server, client, answer)
    }
    const told = await introspect()
    assert.equal(told.active, true)
    assert.equal(told.client_id, id)
    assert.equal(told.scope, scope)

    const answer = await oauth.revocationRequest(server, client, method(secret), token.refresh_token, plain)
    await oauth.processRevocationResponse(answer)
    assert.deepEqual(await introspect(), { active: false })
    assert.equal(await declare(token.access_token), 401)
    await assert.rejects(refresh({ id, secret }, token.refresh_token), { error: 'invalid_grant' })
  })
}

test('oauth4webapi: another client can neither see nor end a token', async () => {
  const { access_token: token } = await obtain(newClient())
  const { id, secret } = newClient()
  const client = { client_id: id }
  const authentication = oauth.ClientSecretPost(secret)
  const told = await oauth.introspectionRequest(server, client, authentication, token, plain)
  assert.deepEqual(await oauth.processIntrospectionResponse(server, client, told), { active: false })
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authentication, token, plain))
  assert.equal(await declare(token), 201)
})

test('oauth4webapi: a wrong secret revokes nothing', async () => {
  const client = newClient()
  const { access_token: token } = await obtain(client)
  const wrong = oauth.ClientSecretPost(withWrongSecret(client).secret)
  const answer = await oauth.revocationRequest(server, { client_id: client.id }, wrong, token, plain)
  await assert.rejects(oauth.processRevocationResponse(answer), { error: 'invalid_client' })
  assert.equal(await declare(token), 201)
})
