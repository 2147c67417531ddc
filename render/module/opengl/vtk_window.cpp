// SPDX-License-Identifier: MIT
// OpenGL without a display: an EGL context of our own for VTK up to 9.3, VTK's choice from 9.4 on.
#include "render/module/opengl/vtk_window.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkRenderWindow.h>
#include <vtkVersion.h>

#include <array>
#include <cstdlib>
#include <future>
#include <memory>

#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "common/work_queue.hpp"
#include "render/module/opengl/module.hpp"

// Debian's VTK calls glewInit() of a libGLEW that was built for GLX. Under EGL it loads every entry point and
// then returns GLEW_ERROR_NO_GLX_DISPLAY (4), which VTK takes for a failure. This definition takes
// precedence and maps that code to success; a VTK with a GLEW of its own, or with glad (9.4 on), does not call it.
extern "C" __attribute__((visibility("default"))) unsigned int glewInit() {
  static const auto next = reinterpret_cast<unsigned int (*)()>(dlsym(RTLD_NEXT, "glewInit"));
  const unsigned int code = next != nullptr ? next() : 1;
  return code == 4 ? 0 : code;
}

namespace orrery::render::opengl_module {
namespace {

/// Makes an OpenGL 3.2 context that stays current on this thread. VTK draws into framebuffers of its own; the surface of one
/// pixel is there because VTK 9.3 asks for the depth of the default framebuffer's colours and warns where there is none.
bool open_context(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr)) return false;
  eglBindAPI(EGL_OPENGL_API);
  const EGLint wanted[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_GREEN_SIZE,
                           8,
                           EGL_BLUE_SIZE,
                           8,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_NONE};
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  if (eglChooseConfig(display, wanted, &config, 1, &configs) && configs > 0) {
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    const EGLint one_pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    EGLSurface surface = eglCreatePbufferSurface(display, config, one_pixel);
    if (context != EGL_NO_CONTEXT && eglMakeCurrent(display, surface, surface, context)) return true;
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
  }
  eglTerminate(display);
  return false;
}

/// Does so on the first device that can, otherwise without a device.
[[maybe_unused]] bool open_any_context() {
  const auto platform_display =
      reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  if (platform_display == nullptr) return false;
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  if (query_devices == nullptr || !query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count))
    count = 0;
  for (EGLint i = 0; i < count; ++i) {
    if (open_context(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr)))
      return true;
  }
  return open_context(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
}

[[noreturn]] void refuse() {
  throw Error(
      "pixels of view3d need OpenGL 3.2, and EGL offers none here: install libegl1 and libgl1-mesa-dri "
      "(mesa-libEGL and mesa-dri-drivers on Fedora, mesa on Arch)");
}

vtkRenderWindow* make_window() {
  // Software OpenGL on the calling thread: its threads wait for each other longer than a scene takes to draw, and other
  // cores encode the frame before. Without effect on a GPU.
  ::setenv("LP_NUM_THREADS", "0", 0);
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 4, 0)
  vtkRenderWindow* window = vtkRenderWindow::New();
  window->SetOffScreenRendering(1);
  if (!window->SupportsOpenGL()) {
    window->Delete();
    refuse();
  }
#else
  static const bool is_open = open_any_context();
  if (!is_open) refuse();
  auto* window = vtkGenericOpenGLRenderWindow::New();
  window->SetOffScreenRendering(1);
  window->SetOwnContext(0);
  window->SetMapped(true);
  window->SetReadyForRendering(true);
  window->SetIsCurrent(true);
  window->SetSupportsOpenGL(1);
  window->SetIsDirect(1);
#endif
  window->SetDPI(72);  // a point of text is a pixel
  return window;
}

}  // namespace

void with_window(const std::function<void(vtkRenderWindow&)>& work) {
  // Neither is ever destroyed, since the driver's exit handlers may run first.
  static auto* const thread = new WorkQueue(1);
  static vtkRenderWindow* window = nullptr;
  const auto task = std::make_shared<std::packaged_task<void()>>([&work, threads = loop_threads()] {
    const UseThreads as_the_caller(threads);
    if (window == nullptr) window = make_window();
    work(*window);
  });
  auto done = task->get_future();
  thread->add([task] { (*task)(); });
  done.get();
}

std::string why_no_opengl() {
  try {
    with_window([](vtkRenderWindow&) {});
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace orrery::render::opengl_module
