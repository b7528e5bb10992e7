//! Compilations for real architectures, where NVRTC is installed.

use super::super::library::SearchPlaces;
use super::*;

fn nvrtc() -> Option<Nvrtc> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let found = nvrtc_required(workspace).unwrap();
    if found.is_none() {
        eprintln!("NVRTC is not installed: this test does nothing");
    }
    found
}

/// Halves without headers: storage in 16-bit integers, conversion by instructions.
const KERNEL: &str = r#"
struct f16 { unsigned short bits; };
struct bf16 { unsigned short bits; };
__device__ float widen(f16 v) { float r; asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(v.bits)); return r; }
__device__ float widen(bf16 v) { return __uint_as_float((unsigned)v.bits << 16); }
__device__ void narrow(f16 &to, float v) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(to.bits) : "f"(v)); }
__device__ void narrow(bf16 &to, float v) { asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(to.bits) : "f"(v)); }
extern "C" __global__ void scale(const f16 *x, bf16 *y, float a, long long n) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float buffer[64];
    buffer[threadIdx.x % 64] = i < n ? widen(x[i]) : 0.0f;
    __syncthreads();
    if (i < n) narrow(y[i], a * buffer[(threadIdx.x + 1) % 64]);
}
"#;

fn request<'a>(source: &'a str, arch: &'a str) -> Request<'a> {
    Request { source, name: "scale.cu", arch, options: &[] }
}

#[test]
fn kernels_compile_for_real_architectures() {
    let Some(nvrtc) = nvrtc() else { return };
    for arch in ["sm_80", "sm_90", "sm_100"] {
        let compiled = nvrtc.compile(&request(KERNEL, arch)).unwrap();
        assert_eq!(compiled.form, Code::Cubin);
        assert!(compiled.code.starts_with(b"\x7fELF"), "{arch}");
        assert_eq!(compiled.kernels.len(), 1, "{}", compiled.log);
        assert_eq!((compiled.kernels[0].name.as_str(), compiled.kernels[0].shared_bytes), ("scale", 256));
        assert!(compiled.registers().is_some_and(|count| (1..64).contains(&count)), "{}", compiled.log);
        assert_eq!(compiled.spill_bytes(), Some(0));
    }
    let ptx = nvrtc.compile(&request(KERNEL, "compute_90")).unwrap();
    assert_eq!(ptx.form, Code::Ptx);
    assert!(String::from_utf8(ptx.code).unwrap().contains(".visible .entry scale("));
    assert_eq!(ptx.kernels, []);
}

#[test]
fn spills_are_reported() {
    let Some(nvrtc) = nvrtc() else { return };
    let source = r#"extern "C" __global__ void wide(float *x) {
        float v[64];
        for (int k = 0; k < 64; ++k) v[k] = x[k * 32 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k) x[k * 32 + threadIdx.x] = v[63 - k] * v[k];
    }"#;
    let options = ["--maxrregcount=24".to_string()];
    let compiled = nvrtc.compile(&Request { options: &options, ..request(source, "sm_90") }).unwrap();
    assert!(compiled.spill_bytes().is_some_and(|bytes| bytes > 0), "{}", compiled.log);
}

#[test]
fn errors_show_the_source() {
    let Some(nvrtc) = nvrtc() else { return };
    let (major, minor) = nvrtc.version();
    let error = nvrtc.compile(&request("extern \"C\" __global__ void k(int *x) { x[0] = y; }\n", "sm_90")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "scale.cu does not compile for sm_90 with NVRTC {major}.{minor} (NVRTC_ERROR_COMPILATION):
scale.cu(1): error: identifier \"y\" is undefined
  extern \"C\" __global__ void k(int *x) {{ x[0] = y; }}
                                                ^

1 error detected in the compilation of \"scale.cu\"."
        )
    );
    let options = ["--nonsense".to_string()];
    let error = nvrtc.compile(&Request { options: &options, ..request(KERNEL, "sm_90") }).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "scale.cu does not compile for sm_90 with NVRTC {major}.{minor} (NVRTC_ERROR_INVALID_OPTION):\n\
             nvrtc: error: unrecognized option --nonsense found"
        )
    );
    for arch in ["sm_1", "sm_", "", "gfx90a", "sm_90b", "sm_99999999999"] {
        let error = nvrtc.compile(&request(KERNEL, arch)).unwrap_err().to_string();
        let start =
            format!("NVRTC {major}.{minor} ({}) cannot compile for `{arch}`, expected one of ", nvrtc.path().display());
        assert!(error.starts_with(&start) && error.contains("sm_90, "), "{error}");
    }
    let error = nvrtc.compile(&request("void f();\0", "sm_90")).unwrap_err();
    assert_eq!(error.to_string(), "the source contains a zero byte at offset 9, which NVRTC cannot take; remove it");
}

#[test]
fn several_threads_compile_at_once() {
    let Some(nvrtc) = nvrtc() else { return };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| nvrtc.compile(&request(KERNEL, "sm_90")).unwrap().code)).collect();
        let codes: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(codes.iter().all(|code| *code == codes[0]), "the same source gives the same code");
    });
}

#[cfg(target_os = "linux")]
mod versions;

#[test]
fn what_is_missing_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let explicit = |path: PathBuf| SearchPlaces { explicit: Some(path), ..SearchPlaces::default() };
    let text = |places: &SearchPlaces| {
        let error = Nvrtc::find(places, None).unwrap_err().to_string();
        error.replace(&folder.path().display().to_string(), "FOLDER")
    };
    assert_eq!(
        text(&explicit(folder.path().join("none"))),
        "SHAPEWRIGHT_NVRTC names FOLDER/none, but no usable NVRTC is there: correct or unset it (`pip install \
         nvidia-cuda-nvrtc-cu12` installs one that can be used)\nTried:\n  \
         FOLDER/none: no libnvrtc is there"
    );
    let fake = folder.path().join("libnvrtc.so.12");
    std::fs::write(&fake, "not a library").unwrap();
    let error = text(&explicit(folder.path().to_path_buf()));
    assert!(error.contains("\nTried:\n  FOLDER/libnvrtc.so.12: "), "{error}");

    let searched = vec!["Python packages of .venv".to_string(), "here".to_string()];
    let error = NvrtcError::NotFound { package: "nvidia-cuda-nvrtc-cu12", searched };
    assert_eq!(
        error.to_string(),
        "NVRTC, the CUDA compiler library, was not found: install it with `pip install nvidia-cuda-nvrtc-cu12` in the \
         active Python environment, or set SHAPEWRIGHT_NVRTC to the library or its folder\n\
         Searched:\n  Python packages of .venv\n  here"
    );
}
