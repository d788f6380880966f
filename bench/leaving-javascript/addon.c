// The loops of loops.cjs as a Node-API addon. `measure.js` compiles this.
#include <node_api.h>
#include <stdint.h>

static napi_value number(napi_env env, int32_t value) {
  napi_value result;
  napi_create_int32(env, value, &result);
  return result;
}

static napi_value compute(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value argument;
  int32_t end;
  napi_get_cb_info(env, info, &argc, &argument, NULL, NULL);
  napi_get_value_int32(env, argument, &end);
  uint32_t sum = 0;
  for (int32_t n = 0; n < end; n += 1) sum = sum * 31 + (uint32_t)n;
  return number(env, (int32_t)sum);
}

static size_t bytes_of(napi_env env, napi_callback_info info, uint8_t **bytes) {
  size_t argc = 1;
  napi_value argument;
  size_t length = 0;
  napi_get_cb_info(env, info, &argc, &argument, NULL, NULL);
  napi_get_typedarray_info(env, argument, NULL, &length, (void **)bytes, NULL, NULL);
  return length;
}

static napi_value checksum(napi_env env, napi_callback_info info) {
  uint8_t *bytes = NULL;
  size_t length = bytes_of(env, info, &bytes);
  uint32_t sum = 0;
  for (size_t n = 0; n < length; n += 1) sum = sum * 31 + bytes[n];
  return number(env, (int32_t)sum);
}

static napi_value hash64(napi_env env, napi_callback_info info) {
  uint8_t *bytes = NULL;
  size_t length = bytes_of(env, info, &bytes);
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (size_t n = 0; n < length; n += 1) hash = (hash ^ bytes[n]) * 0x100000001b3ULL;
  return number(env, (int32_t)(uint32_t)(hash ^ (hash >> 32)));
}

NAPI_MODULE_INIT() {
  napi_property_descriptor functions[] = {
      {"compute", NULL, compute, NULL, NULL, NULL, napi_enumerable, NULL},
      {"checksum", NULL, checksum, NULL, NULL, NULL, napi_enumerable, NULL},
      {"hash64", NULL, hash64, NULL, NULL, NULL, napi_enumerable, NULL},
  };
  napi_define_properties(env, exports, 3, functions);
  return exports;
}
